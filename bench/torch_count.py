#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The parameters of a network of torch_nets.py: torch_count.py NETWORK CLASSES SIZE prints one JSON line."""
import json
import sys

import torch

from torch_nets import NETWORKS, parameters_of

print(json.dumps({"peer": "PyTorch " + torch.__version__.split("+")[0], "mode": "-",
                  "parameters": parameters_of(NETWORKS[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3])))}))
