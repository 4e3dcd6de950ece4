// The part of a page that is open comes to the top, when what stands above it has its height.
setTimeout(() => document.querySelector("[data-testid=stMain] details[open]")?.scrollIntoView({ behavior: "smooth" }), 300);
