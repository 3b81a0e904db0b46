namespace CamCube.Tool.Commands.Topology;

/// <summary>JSON of <c>camcube topology replicas</c>: the home, alive or not, and the live servers, root
/// first.</summary>
internal sealed record ReplicasAnswer(string Home, string[] Servers);
