using System.Text;

namespace CamCube.Tool.Hosts;

/// <summary>What a host answered.</summary>
/// <param name="Bytes">The body.</param>
/// <param name="ContentType">What it is, without parameters; empty if nobody said.</param>
internal sealed record HostAnswer(byte[] Bytes, string ContentType)
{
    /// <summary>Whether it is JSON.</summary>
    public bool IsJson => ContentType == "application/json";

    /// <summary>The body as text.</summary>
    public string Text => Encoding.UTF8.GetString(Bytes);
}
