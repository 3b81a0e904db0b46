namespace CamCube.Tool.Hosts;

/// <summary>One command of a service.</summary>
internal sealed record HostCommand(
    string Name,
    string Description,
    bool Changes,
    bool TakesBody,
    CommandArgument[] Arguments
);
