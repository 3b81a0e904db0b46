namespace CamCube.Testbed;

/// <summary>What <see cref="TcpLoad"/> measured.</summary>
/// <param name="Seconds">For how long.</param>
/// <param name="Connections">All of them.</param>
/// <param name="Broken">Those that ended before the time was over.</param>
/// <param name="Servers">Each server.</param>
/// <param name="MedianBitsPerSecond">Received, of the servers that anybody sends to.</param>
/// <param name="LeastBitsPerSecond">The least of these.</param>
/// <param name="MostBitsPerSecond">The most of these.</param>
/// <param name="TotalBitsPerSecond">Of all together.</param>
/// <param name="Segments">TCP segments with data that came, from the beginning, as receivers' kernels count.</param>
/// <param name="OutOfOrder">Those of them that came before an earlier one.</param>
/// <param name="SentAgain">Segments that senders' kernels sent again.</param>
public sealed record TcpLoadResult(
    double Seconds,
    int Connections,
    int Broken,
    IReadOnlyList<TcpLoadRow> Servers,
    double MedianBitsPerSecond,
    double LeastBitsPerSecond,
    double MostBitsPerSecond,
    double TotalBitsPerSecond,
    long Segments,
    long OutOfOrder,
    long SentAgain
);
