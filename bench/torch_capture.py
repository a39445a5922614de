"""A PyTorch function as a CUDA graph, for the peers of bench/gpu and bench/accuracy."""
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
