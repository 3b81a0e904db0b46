using System.Globalization;
using System.Security.Cryptography;

namespace CamCube.Testbed;

/// <summary>Cables that carry IP: a network of two addresses for each.</summary>
public static class UdpCables
{
    /// <summary>Port of +x at every server; those of the other links follow.</summary>
    private const int BasePort = 7000;

    /// <summary>The address of every link's end.</summary>
    public static Dictionary<(int Rank, Link Link), string> Addresses(IReadOnlyList<TestbedCable> cables)
    {
        var addresses = new Dictionary<(int, Link), string>();
        foreach (TestbedCable cable in cables)
        {
            addresses[(cable.From, cable.Link)] = Address(2 * cable.Number);
            addresses[(cable.To, cable.Link.Opposite())] = Address((2 * cable.Number) + 1);
        }

        return addresses;
    }

    /// <summary>The settings of a server: where each neighbour is, and the key that all share.</summary>
    public static IEnumerable<string> Settings(TestbedPlan plan, int rank)
    {
        TorusShape shape = plan.Torus();
        Dictionary<(int Rank, Link Link), string> addresses = Addresses(TestbedCable.Of(shape));
        yield return $"CamCube:Udp:ClusterKeyFile={KeyFile(plan)}";
        yield return string.Create(CultureInfo.InvariantCulture, $"CamCube:Udp:BasePort={BasePort}");
        yield return string.Create(CultureInfo.InvariantCulture, $"CamCube:Udp:Mtu={plan.Mtu}");
        foreach (Link link in shape.CabledLinks(shape.At(rank)))
        {
            Link back = link.Opposite();
            string address = addresses[(shape.RankOf(shape.Step(shape.At(rank), link)), back)];
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"CamCube:Udp:Neighbours:{link.PlainName()}={address}:{BasePort + (int)back}"
            );
        }
    }

    /// <summary>Writes a key that only root can read.</summary>
    public static void WriteKey(TestbedPlan plan)
    {
        var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        using var file = new StreamWriter(KeyFile(plan), options);
        file.WriteLine(Convert.ToBase64String(RandomNumberGenerator.GetBytes(32)));
    }

    private static string KeyFile(TestbedPlan plan) => Path.Combine(TestbedStore.FolderOf(plan.Name), "cluster.key");

    private static string Address(int number) =>
        string.Create(CultureInfo.InvariantCulture, $"10.{number >> 16}.{number >> 8 & 0xFF}.{number & 0xFF}");
}
