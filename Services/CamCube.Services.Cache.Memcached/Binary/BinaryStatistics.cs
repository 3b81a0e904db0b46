using System.Buffers;
using System.Text;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Text;

namespace CamCube.Services.Cache.Memcached.Binary;

/// <summary>Statistics as answers of the binary protocol: one for each, and one without a name behind them.</summary>
/// <param name="opaque">The request's.</param>
internal sealed class BinaryStatistics(uint opaque) : IStatisticsForm
{
    public void Write(IBufferWriter<byte> output, string name, string value)
    {
        int nameLength = Encoding.UTF8.GetByteCount(name),
            valueLength = Encoding.UTF8.GetByteCount(value);
        WriteHeader(output, nameLength, valueLength);
        Encoding.UTF8.GetBytes(name, output);
        Encoding.UTF8.GetBytes(value, output);
    }

    public void WriteDetails(IBufferWriter<byte> output, string lines)
    {
        WriteHeader(output, "detailed"u8.Length, lines.Length);
        output.Write("detailed"u8);
        Encoding.Latin1.GetBytes(lines, output);
        End(output);
    }

    public void End(IBufferWriter<byte> output) => WriteHeader(output, 0, 0);

    /// <summary>The group that a key of a stat request names; null if there is none.</summary>
    public static StatisticsGroup? GroupOf(ReadOnlySpan<byte> name)
    {
        if (name.IsEmpty)
        {
            return StatisticsGroup.Cube;
        }

        // memcached looks at the beginnings of these only.
        if (name.StartsWith("reset"u8))
        {
            return StatisticsGroup.Reset;
        }

        if (name.StartsWith("settings"u8))
        {
            return StatisticsGroup.Settings;
        }

        if (name.StartsWith("detail dump"u8))
        {
            return StatisticsGroup.DetailDump;
        }

        if (name.StartsWith("detail on"u8))
        {
            return StatisticsGroup.DetailOn;
        }

        if (name.StartsWith("detail off"u8))
        {
            return StatisticsGroup.DetailOff;
        }

        bool isKnown = TextStatisticsParser.TryGetGroup(name, out StatisticsGroup group);
        return isKnown && group != StatisticsGroup.Connections ? group : null;
    }

    private void WriteHeader(IBufferWriter<byte> output, int nameLength, int valueLength)
    {
        var request = new BinaryRequest(BinaryOpcode.Stat, opaque, BinaryStatus.Success);
        Span<byte> header = output.GetSpan(BinaryHeader.Length);
        BinaryHeader.WriteAnswer(header, request, BinaryStatus.Success, nameLength, 0, nameLength + valueLength, 0);
        output.Advance(BinaryHeader.Length);
    }
}
