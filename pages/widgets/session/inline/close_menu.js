// On a phone the side bar lies over the page, and Streamlit leaves it there after one of our links.
for (const menu of document.querySelectorAll(".st-key-menu"))
  menu.onclick = (event) => {
    if (event.target.closest("a") && window.innerWidth < 768)
      document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  };
