using System.Text;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>A file on a disk that is full.</summary>
internal sealed class FullWriter : TextWriter
{
    public override Encoding Encoding => Encoding.UTF8;

    public override void WriteLine(string? value) => throw new IOException("No space left on device");

    public override void Write(char value) => throw new IOException("No space left on device");
}
