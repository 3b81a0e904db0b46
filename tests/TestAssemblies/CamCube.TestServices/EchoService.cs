using Microsoft.Extensions.Logging;

namespace CamCube.TestServices;

/// <summary>A service with all that a constructor may ask for, but dependencies.</summary>
[CamCubeService(0x7101, "echo")]
public sealed class EchoService(
    IServer server,
    EchoOptions options,
    ILogger<EchoService> logger,
    ILogger plain,
    ILoggerFactory loggers
) : CamCubeService, IEcho
{
    private readonly Counter _asked = HangWhile(options.HangWhile, server.Counters.Create("asked", "{call}"));
    private readonly List<Packet> _lost =
        options.ThrowsAt == server.Coordinate ? throw new FormatException("as it was told") : [];

    /// <inheritdoc/>
    public int Count => (int)_asked.Value;

    /// <inheritdoc/>
    public override void OnStart()
    {
        ArgumentNullException.ThrowIfNull(logger);
        ArgumentNullException.ThrowIfNull(plain);
        ArgumentNullException.ThrowIfNull(loggers);
    }

    /// <inheritdoc/>
    public string Echo(string text)
    {
        _asked.Add();
        string[] words = text.Split(' ', 2);
        switch (words[0])
        {
            case "throw":
                throw new InvalidOperationException("asked to throw");
            case "hang":
                HangWhile(words[1], _asked);
                break;
            case "leak":
                while (server.Packets.TryRent(0, out Packet? packet))
                {
                    _lost.Add(packet);
                }

                break;
            default:
                break;
        }

        return $"{options.Greeting} {server.Coordinate} {text}";
    }

    // What no service may do: the loop stands still as long as a file is there.
    private static Counter HangWhile(string path, Counter counter)
    {
        while (File.Exists(path))
        {
            Thread.Yield();
        }

        return counter;
    }
}
