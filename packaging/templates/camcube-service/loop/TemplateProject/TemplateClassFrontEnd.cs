using CamCube;
using CamCube.FrontEnds;
using CamCube.FrontEnds.Protocols;
using Microsoft.Extensions.Logging;

namespace TemplateSpace;

/// <summary>A protocol of your own, in the server's loop where the system lets it: <c>nc localhost 7010</c>. One per
/// server, each on a port of its own.</summary>
[FrontEnd("template-service-lines", 7010)]
public sealed class TemplateClassFrontEnd(
    IServerGate gate,
    TemplateClassFrontEndOptions options,
    ILogger<TemplateClassFrontEnd> log,
    TimeProvider time
) : IFrontEnd
{
    private readonly ConnectionServer<TemplateClassService> _server = new(
        new ConnectionTerms<TemplateClassService>
        {
            Name = "template-service-lines",
            Protocol = (turn, _) => new TemplateClassProtocol(turn),
            Options = options,
            Gates = [gate],
            Logger = log,
            Time = time,
            MaxUnread = 8192, // a line that is longer costs its client the connection
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
