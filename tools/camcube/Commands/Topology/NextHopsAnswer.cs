namespace CamCube.Tool.Commands.Topology;

/// <summary>JSON of <c>camcube topology next-hops</c>: no links and -1 if there is no path.</summary>
internal sealed record NextHopsAnswer(string[] Links, int Hops);
