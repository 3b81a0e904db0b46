using System.Text;

namespace CamCube.Administration;

/// <summary>What a host answered, whatever it was asked.</summary>
/// <param name="Bytes">The body.</param>
/// <param name="ContentType">What it is, without parameters; empty if nobody said.</param>
public sealed record HostReply(byte[] Bytes, string ContentType)
{
    /// <summary>Whether it is JSON.</summary>
    public bool IsJson => ContentType == "application/json";

    /// <summary>The body as text.</summary>
    public string Text => Encoding.UTF8.GetString(Bytes);
}
