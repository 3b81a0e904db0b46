using System.Buffers;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>How statistics look in one protocol.</summary>
internal interface IStatisticsForm
{
    /// <summary>Writes one of them.</summary>
    void Write(IBufferWriter<byte> output, string name, string value);

    /// <summary>Writes what <c>stats detail dump</c> gives, its last line included.</summary>
    void WriteDetails(IBufferWriter<byte> output, string lines);

    /// <summary>Writes the end of all others.</summary>
    void End(IBufferWriter<byte> output);
}
