namespace CamCube.TestServices;

/// <summary>Options of the front end echo.</summary>
public sealed class EchoFrontEndOptions
{
    /// <summary>What a client hears first. Default "hello".</summary>
    public string Welcome { get; set; } = "hello";

    /// <summary>Server whose front end does not start; none by default.</summary>
    public Coordinate? Broken { get; set; }
}
