namespace CamCube.Tool.Commands.Topology;

/// <summary>JSON of <c>camcube topology trees</c>.</summary>
internal sealed record TreesAnswer(int[] Shape, int[] Root, TreeAnswer[] Trees);
