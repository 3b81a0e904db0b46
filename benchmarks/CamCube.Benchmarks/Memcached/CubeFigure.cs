using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Benchmarks.Memcached;

/// <summary>Reads how many hops a cube's clients were from their answers, from <c>stats</c> of one of its
/// servers.</summary>
internal static class CubeFigure
{
    private const int MostHops = 16;

    /// <summary>Reads so far, and the hops of them all.</summary>
    public static (double Reads, double Hops) Hops(int port)
    {
        using var client = new TcpClient();
        client.Connect(IPAddress.Loopback, port);
        using NetworkStream stream = client.GetStream();
        stream.Write("stats\r\n"u8);
        using var reader = new StreamReader(stream, Encoding.ASCII);
        (double reads, double hops) = (0, 0);
        for (string? line = reader.ReadLine(); line is not (null or "END"); line = reader.ReadLine())
        {
            string[] words = line.Split(' ');
            if (words[1].StartsWith("lookup_hops_", StringComparison.Ordinal))
            {
                double count = double.Parse(words[2], CultureInfo.InvariantCulture);
                string number = words[1].Split('_')[2];
                (reads, hops) = (
                    reads + count,
                    hops + (count * Math.Min(MostHops, int.Parse(number, CultureInfo.InvariantCulture)))
                );
            }
        }

        return (reads, hops);
    }
}
