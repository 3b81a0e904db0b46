namespace CamCube.TestServices.FrontEnds;

/// <summary>A front end in an assembly without a service: it says what <see cref="IEcho"/> answers it at its
/// start.</summary>
[FrontEnd("said", 0, Service = "echo")]
public sealed class SaidFrontEnd(IServerGate gate, SaidOptions options) : QuietFrontEnd
{
    private string? _said;

    /// <inheritdoc/>
    public override string? ReadyText => _said;

    /// <inheritdoc/>
    public override async ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel) =>
        _said = await gate.CallAsync<IEcho, string, string>(static (echo, word) => new(echo.Echo(word)), options.Word);
}
