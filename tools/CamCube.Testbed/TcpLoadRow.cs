namespace CamCube.Testbed;

/// <summary>What one server's machine got and sent.</summary>
/// <param name="Server">The server.</param>
/// <param name="Received">Bytes that programs got.</param>
/// <param name="ReceivedBitsPerSecond">The same per second.</param>
/// <param name="Sent">Bytes that programs gave.</param>
/// <param name="SentBitsPerSecond">The same per second.</param>
public sealed record TcpLoadRow(
    string Server,
    long Received,
    double ReceivedBitsPerSecond,
    long Sent,
    double SentBitsPerSecond
);
