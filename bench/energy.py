# SPDX-License-Identifier: MIT
"""Joules of peers, counted as runtime/report/energy.h does: the GPU's by NVML, the processors' and their memory's by powercap (RAPL)."""
import ctypes
import glob
import os
import sys
import time


def number_in(path):
    with open(path) as f:
        return int(f.read())


def nvml_counter():
    """A function that returns joules; OSError or AttributeError where there is none."""
    import torch
    nvml, device, millijoules = ctypes.CDLL("libnvidia-ml.so.1"), ctypes.c_void_p(), ctypes.c_ulonglong()
    name = f"GPU-{torch.cuda.get_device_properties(0).uuid}".encode()

    def joules():
        if nvml.nvmlDeviceGetTotalEnergyConsumption(device, ctypes.byref(millijoules)):
            raise OSError("NVML has no counter of energy")
        return 1e-3 * millijoules.value
    if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByUUID(name, ctypes.byref(device)):
        raise OSError("NVML does not find the GPU")
    joules()
    return joules


class Meter:
    """Joules since it was made. Processors count for two minutes: their counters wrap."""

    def __init__(self):
        self.begun, self.zones = time.perf_counter(), []
        try:
            self.gpu = nvml_counter() if "torch" in sys.modules and sys.modules["torch"].cuda.is_available() else None
        except (OSError, AttributeError):
            self.gpu = None
        for folder in glob.glob(os.path.join(os.environ.get("NNR_POWERCAP", "/sys/class/powercap"), "intel-rapl:*")):
            try:
                with open(os.path.join(folder, "name")) as f:
                    counts = f.read().startswith(("package", "dram"))
                if counts:
                    path = os.path.join(folder, "energy_uj")
                    self.zones.append((path, number_in(path), number_in(os.path.join(folder, "max_energy_range_uj"))))
            except OSError:
                self.zones = []
                break
        self.gpu_before = self.gpu() if self.gpu else 0

    def per_sample(self, samples):
        """Fields of the peer's JSON line, none of a counter that is not there; nothing within a second."""
        seconds, found = time.perf_counter() - self.begun, {}
        if self.gpu and seconds >= 1:
            found["gpu_joules_per_sample"] = (self.gpu() - self.gpu_before) / samples
        if self.zones and 1 <= seconds < 120:
            moved = sum((number_in(path) - before) % (wrap + 1) for path, before, wrap in self.zones)
            found["cpu_joules_per_sample"] = 1e-6 * moved / samples
        return {key: value for key, value in found.items() if value > 0}
