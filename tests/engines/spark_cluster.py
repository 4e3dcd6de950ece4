"""A standalone cluster of Spark on loopback: one master, and workers that can be killed."""

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.engines import java

PATIENCE = 300

# Short lives: what is compiled thoroughly, or collected by many threads, never pays.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "512m",
    # Few rows come back from few groups: more partitions would only cost tasks.
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
}


@dataclass
class SparkCluster:
    """The processes of a cluster; each leads a group of its own, in which a worker has its executors."""

    folder: Path
    options: str
    memory: str
    master: str = ""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start_master(self) -> None:
        self._start("master", "master.Master")
        self.master = self._logged("master", r"Starting Spark master at (spark://\S+)")

    def start_worker(self) -> None:
        """One core; a machine more, as far as the master knows."""
        name = f"worker{len(self.processes)}"
        work = ("--cores", "1", "--memory", self.memory, "--work-dir", str(self.folder / name), self.master)
        self._start(name, "worker.Worker", *work)

    def wait_for_workers(self) -> None:
        """Return when all workers are known to the master."""
        for name in self.workers:
            self._logged(name, "(Successfully registered)")

    @property
    def workers(self) -> list[str]:
        """The names of those that run."""
        return [name for name, process in self.processes.items() if name != "master" and process.poll() is None]

    def kill(self, name: str) -> None:
        """End a process and its executors as a machine without current ends."""
        process = self.processes[name]
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def _start(self, name: str, program: str, *options: str) -> None:
        import pyspark

        home = Path(pyspark.__file__).parent
        java_options = {"SPARK_DAEMON_JAVA_OPTS": self.options, "SPARK_DAEMON_MEMORY": "256m"}
        where = {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": str(self.folder)}
        command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{program}"]
        command += ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0", *options]
        with (self.folder / f"{name}.log").open("wb") as log:
            # The shell's input ends with this process, however that ends, and the group with the shell.
            self.processes[name] = subprocess.Popen(
                ["sh", "-c", '"$@" & read -r _; kill -9 0', "sh", *command],
                stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True,
                env=os.environ | java_options | where,
            )  # fmt: skip

    def _logged(self, name: str, pattern: str) -> str:
        """What a process says in its log when it is ready."""
        log, end = self.folder / f"{name}.log", time.monotonic() + PATIENCE
        while not (match := re.search(pattern, log.read_text(errors="replace"))):
            assert time.monotonic() < end, log.read_text(errors="replace")[-2000:]
            time.sleep(0.05)
        return match[1]


@contextmanager
def spark_cluster(workers: int = 2, memory: str = "1g", options: str = SHORT_LIVED) -> Iterator[SparkCluster]:
    """A cluster for the block; its processes and files are gone after it."""
    home = java.find()
    assert home, "no Java: python -m tests.engines.java"
    os.environ["JAVA_HOME"] = home
    with tempfile.TemporaryDirectory(prefix="evalcore-spark-", ignore_cleanup_errors=True) as folder:
        cluster = SparkCluster(Path(folder), options, memory)
        try:
            cluster.start_master()
            for _ in range(workers):
                cluster.start_worker()
            cluster.wait_for_workers()
            yield cluster
        finally:
            for name in cluster.processes:
                cluster.kill(name)


@contextmanager
def spark_session(cluster: SparkCluster) -> Iterator[Any]:
    """A session of Spark on a cluster."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(cluster.master).appName("evalcore")
    more = {"spark.sql.warehouse.dir": str(cluster.folder / "tables"), "spark.executor.memory": "512m"}
    both = {f"spark.{part}.extraJavaOptions": cluster.options for part in ("driver", "executor")}
    for name, value in (SETTINGS | both | more).items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()
