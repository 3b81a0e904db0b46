using System.Buffers;
using System.Text;
using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>Statistics as lines of text. Immutable.</summary>
internal sealed class TextStatistics : IStatisticsForm
{
    private TextStatistics() { }

    /// <summary>The one there is.</summary>
    public static TextStatistics Form { get; } = new();

    public void Write(IBufferWriter<byte> output, string name, string value)
    {
        output.Write("STAT "u8);
        Encoding.UTF8.GetBytes(name, output);
        output.Write(" "u8);
        Encoding.UTF8.GetBytes(value, output);
        output.Write("\r\n"u8);
    }

    public void WriteDetails(IBufferWriter<byte> output, string lines) => Encoding.Latin1.GetBytes(lines, output);

    public void End(IBufferWriter<byte> output) => output.Write("END\r\n"u8);
}
