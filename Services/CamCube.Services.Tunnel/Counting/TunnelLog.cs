using Microsoft.Extensions.Logging;

namespace CamCube.Services.Tunnel.Counting;

/// <summary>What the tunnel tells the log. Ids 5500 to 5599.</summary>
internal static partial class TunnelLog
{
    [LoggerMessage(5500, LogLevel.Error, "Tunnel of {Server}: {Line} It is tried again.")]
    public static partial void NoCard(ILogger logger, Coordinate server, string line);

    [LoggerMessage(5501, LogLevel.Information, "Tunnel of {Server}: {Interface} is {Address4}, {Address6}.")]
    public static partial void Open(
        ILogger logger,
        Coordinate server,
        string @interface,
        System.Net.IPAddress address4,
        System.Net.IPAddress address6
    );

    [LoggerMessage(5502, LogLevel.Warning, "Tunnel of {Server}: {Line}")]
    public static partial void SecondBridge(ILogger logger, Coordinate server, string line);
}
