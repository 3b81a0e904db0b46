using System.Net;
using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Connections;

/// <summary>Log messages of connections; ids 5300 to 5319.</summary>
internal static partial class ConnectionLog
{
    [LoggerMessage(5301, LogLevel.Error, "A {Protocol} connection failed and was closed: {Address}.")]
    public static partial void ConnectionFailed(ILogger logger, string protocol, string address, Exception error);

    [LoggerMessage(5302, LogLevel.Warning, "Cannot accept {Protocol} clients on {EndPoint}; trying again.")]
    public static partial void AcceptFailed(ILogger logger, string protocol, IPEndPoint endPoint, Exception error);

    [LoggerMessage(5303, LogLevel.Debug, "Rejected a {Protocol} client: {Limit} are connected (MaxConnections).")]
    public static partial void Rejected(ILogger logger, string protocol, int limit);

    [LoggerMessage(5304, LogLevel.Debug, "A {Protocol} client at {Address} did not agree on TLS: {Reason}")]
    public static partial void HandshakeFailed(ILogger logger, string protocol, string address, string reason);

    [LoggerMessage(
        5305,
        LogLevel.Warning,
        "Few file descriptors are left: {Protocol} clients on {EndPoint} wait until some end."
    )]
    public static partial void FewDescriptors(ILogger logger, string protocol, IPEndPoint endPoint);

    [LoggerMessage(5306, LogLevel.Warning, "The Unix socket's file {File} cannot be deleted and stays: {Reason}")]
    public static partial void SocketFileStays(ILogger logger, string file, string reason);
}
