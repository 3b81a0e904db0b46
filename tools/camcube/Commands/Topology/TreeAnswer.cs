namespace CamCube.Tool.Commands.Topology;

/// <summary>One tree: its axis and sign, and each server's parent in rank order.</summary>
internal sealed record TreeAnswer(int Axis, int Sign, Dictionary<string, string> Parent);
