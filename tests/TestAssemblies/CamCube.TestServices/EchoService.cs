using Microsoft.Extensions.Logging;

namespace CamCube.TestServices;

/// <summary>A service with all that a constructor may ask for, but dependencies.</summary>
[CamCubeService(0x7101, "echo")]
public sealed class EchoService(
    IServer server, EchoOptions options, ILogger<EchoService> logger, ILogger plain, ILoggerFactory loggers)
    : CamCubeService, IEcho
{
    private readonly Counter _asked = server.CreateCounter("asked", "{call}");

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
        return text == "throw"
            ? throw new InvalidOperationException("asked to throw")
            : $"{options.Greeting} {server.Coordinate} {text}";
    }
}
