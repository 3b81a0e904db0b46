namespace CamCube.Services.Messenger;

/// <summary>What became of a wish for an endpoint.</summary>
public enum EndpointOpen : byte
{
    /// <summary>It is being opened: <see cref="IEndpoint.OwnedAsync"/> tells whether the name is its own.</summary>
    Ok = 0,

    /// <summary>The name is open on this server, or has an owner that this server knows of.</summary>
    Taken = 1,

    /// <summary>The name is empty, longer than 64 bytes, or no UTF-8; or an option is out of its range.</summary>
    Invalid = 2,

    /// <summary>As many endpoints are open as the settings allow.</summary>
    Full = 3,

    /// <summary>The messenger, or who asks, has not started or has stopped.</summary>
    Closed = 4,
}
