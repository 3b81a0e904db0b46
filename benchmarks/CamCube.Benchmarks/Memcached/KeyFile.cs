using System.Globalization;
using System.Text;

namespace CamCube.Benchmarks.Memcached;

/// <summary>A file with keys of one server, for the load; deleted when disposed.</summary>
internal sealed class KeyFile : IDisposable
{
    private const int Keys = 10_000;

    /// <summary>Writes keys whose home is this server.</summary>
    public KeyFile(TorusShape shape, Coordinate home)
    {
        IEnumerable<string> keys = Enumerable
            .Range(0, 100_000)
            .Select(number => string.Create(CultureInfo.InvariantCulture, $"memload:key:{number:D5}"))
            .Where(key => Key.OfBytes(Encoding.ASCII.GetBytes(key)).HomeIn(shape) == home);
        File.WriteAllText(Path, string.Concat(keys.Take(Keys).Select(key => $"{key}\n")));
    }

    /// <summary>Where it is.</summary>
    public string Path { get; } = System.IO.Path.GetTempFileName();

    public void Dispose() => File.Delete(Path);
}
