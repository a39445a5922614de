"""A PyTorch function as a CUDA graph, and the time of a step, for the peers of this folder."""
import torch


def capture(body):
    """Runs the body on a side stream a few times, which makes what it allocates, and captures it; returns the graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(4):
            body()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        body()
    return graph


def time_windows(step, seconds=0.5, count=5, warm=20):
    """Runs `warm` steps, and then windows of so many that each takes that long; returns the seconds of a step in each, between CUDA events,
    the shortest first."""
    def window(steps):
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        for _ in range(steps):
            step()
        last.record()
        torch.cuda.synchronize()
        return first.elapsed_time(last) / 1e3 / steps
    steps = max(5, round(seconds / window(warm)))
    return sorted(window(steps) for _ in range(count))
