namespace CamCube;

/// <summary>
/// Where clients from outside connect to a service of one server. The host makes one per server (constructor
/// parameters: <see cref="IServerGate"/>, an options class, <c>ILogger</c>, <see cref="TimeProvider"/>), gives it
/// address and port, and starts it after the services and stops it before them. It lives on its own threads and reaches
/// services through the gate. Members are called one at a time, on any thread.
/// </summary>
public interface IFrontEnd : IAsyncDisposable
{
    /// <summary>What the host's line of readiness says of it beside its name, once it is started: for one without a
    /// port, where it is found (<c>cc0 10.77.0.1</c>). Null, the default: nothing. One line for people.</summary>
    string? ReadyText => null;

    /// <summary>Opens the port, or whatever else clients come by.</summary>
    /// <exception cref="FrontEndException">It cannot; the message is one line for people.</exception>
    ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel);

    /// <summary>Accepts nobody new and lets running requests end; returns when they have, or when cancelled.</summary>
    ValueTask DrainAsync(CancellationToken cancel);

    /// <summary>Closes what is still open. Afterwards it may be started again.</summary>
    ValueTask StopAsync();
}
