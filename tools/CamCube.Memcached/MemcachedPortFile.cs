using System.Net;

namespace CamCube.Memcached;

/// <summary>The file that tells a test suite which port was chosen (environment variable
/// MEMCACHED_PORT_FILENAME).</summary>
internal static class MemcachedPortFile
{
    /// <summary>Writes it, if it is asked for. It appears whole or not at all.</summary>
    public static void Write(int port, IPAddress address, TextWriter errors)
    {
        if (Environment.GetEnvironmentVariable("MEMCACHED_PORT_FILENAME") is not { Length: > 0 } file || port == 0)
        {
            return;
        }

        try
        {
            string family = address.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6 ? "INET6" : "INET";
            File.WriteAllText(file + ".lck", $"TCP {family}: {port}\n");
            File.Move(file + ".lck", file, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            errors.WriteLine($"Failed to open \"{file}\": {e.Message}");
        }
    }
}
