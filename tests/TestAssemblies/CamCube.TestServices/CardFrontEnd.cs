namespace CamCube.TestServices;

/// <summary>A front end without a port, which runs only where somebody wants it.</summary>
[FrontEnd("echo-card", 0, StartsByDefault = false)]
public sealed class CardFrontEnd(IServerGate gate) : IFrontEnd
{
    /// <inheritdoc/>
    public string? ReadyText { get; private set; }

    /// <inheritdoc/>
    public ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ReadyText = $"card of {gate.Coordinate}, port {endpoint.Port}";
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancel) => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask StopAsync() => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
