using System.ComponentModel.DataAnnotations;

namespace CamCube.TestServices;

/// <summary>Options of the service echo.</summary>
public sealed class EchoOptions
{
    /// <summary>A number with a range. Default 10.</summary>
    [Range(1, 100)]
    public int Limit { get; set; } = 10;

    /// <summary>Memory per server. Default 1 MiB.</summary>
    public long MemoryLimit { get; set; } = 1024 * 1024;

    /// <summary>Further memory per server. Default 512 KiB.</summary>
    public int SpareMemory { get; set; } = 512 * 1024;

    /// <summary>A text. Default "echo".</summary>
    [Required]
    public string Greeting { get; set; } = "echo";

    /// <summary>A server on which its constructor throws. Default none.</summary>
    public Coordinate? ThrowsAt { get; set; }

    /// <summary>A file: its constructor does not end while it is there. Default none.</summary>
    public string HangWhile { get; set; } = "";
}
