namespace CamCube.Services.Cache.FrontEnds;

/// <summary>An open port. Any thread.</summary>
internal interface IClientListener
{
    /// <summary>The port, also where the system chose it.</summary>
    int Port { get; }

    /// <summary>Closes the port; returns when nobody is accepted any more. The clients stay.</summary>
    Task CloseAsync();
}
