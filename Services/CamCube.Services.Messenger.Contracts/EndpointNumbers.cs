namespace CamCube.Services.Messenger;

/// <summary>An endpoint as others see it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Id">Its id.</param>
/// <param name="State">Where it is in its life.</param>
/// <param name="Term">Its term; 0 while it has none.</param>
/// <param name="Received">Messages that came and were not dropped.</param>
/// <param name="Dropped">Messages that were dropped because too many waited.</param>
/// <param name="Windows">Windows that are posted.</param>
public readonly record struct EndpointNumbers(
    string Name,
    EndpointId Id,
    EndpointState State,
    uint Term,
    long Received,
    long Dropped,
    int Windows
);
