namespace CamCube.Services.Messenger.Commands;

/// <summary>Whose endpoints are listed.</summary>
internal enum EndpointsOf
{
    /// <summary>Those of all servers that answer.</summary>
    Cube = 0,

    /// <summary>Those of the server that is asked.</summary>
    Server = 1,
}
