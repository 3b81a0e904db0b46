using CamCube;
using CamCube.FrontEnds;
using CamCube.FrontEnds.Protocols;
using CamCube.FrontEnds.Settings;
using Microsoft.Extensions.Logging;

namespace EchoSample;

/// <summary>Serves lines on port 7007 and those after it.</summary>
[FrontEnd("echo", 7007)]
public sealed class EchoFrontEnd(IServerGate gate, EchoOptions options, ILogger<EchoFrontEnd> log, TimeProvider time)
    : IFrontEnd
{
    private readonly ConnectionServer<EchoService> _server = new(
        new ConnectionTerms<EchoService>
        {
            Name = "echo",
            Protocol = (turn, _) => new EchoProtocol(turn),
            Options = options,
            Gates = [gate],
            Logger = log,
            Time = time,
            MaxUnread = 8192,
        }
    );

    /// <inheritdoc/>
    public ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel)
    {
        _server.Start(endpoint);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancel) => _server.DrainAsync(cancel);

    /// <inheritdoc/>
    public ValueTask StopAsync() => _server.StopAsync();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
