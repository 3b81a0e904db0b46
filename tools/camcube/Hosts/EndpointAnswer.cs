namespace CamCube.Tool.Hosts;

/// <summary>An endpoint in the answer of the command endpoints of the service messenger.</summary>
internal sealed record EndpointAnswer(
    string Name,
    string Id,
    string Owner,
    string State,
    uint Term,
    long Received,
    long Dropped,
    int Windows
);
