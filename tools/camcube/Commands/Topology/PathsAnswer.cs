namespace CamCube.Tool.Commands.Topology;

/// <summary>JSON of <c>camcube topology paths</c>: the servers of each path, both ends included.</summary>
internal sealed record PathsAnswer(string[][] Paths);
