namespace CamCube.Tool.Commands.Topology;

/// <summary>JSON of <c>camcube topology minicube</c>: the servers of the path, both ends included.</summary>
internal sealed record MiniCubeAnswer(string[] Path);
