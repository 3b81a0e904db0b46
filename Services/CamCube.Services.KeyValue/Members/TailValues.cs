using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Brings back, after a start, the values of entries that are not settled and were found without them. Loop
/// only.</summary>
/// <param name="log">Where they lie.</param>
internal sealed class TailValues(StoreLog log)
{
    /// <summary>Reads those of all groups.</summary>
    /// <returns>False: one is not there as it was written.</returns>
    public async ValueTask<bool> FillAsync(List<Member> members)
    {
        byte[] buffer = [];
        foreach (Member member in members)
        {
            for (ulong index = member.Tail.Base + 1; index <= member.Tail.Last; index++)
            {
                TailEntry entry = member.Tail[index];
                if (entry.Operation is not { AwayLength: > 0 })
                {
                    continue;
                }

                LogLocation place = entry.Location;
                buffer = buffer.Length < place.Length ? new byte[place.Length] : buffer;
                LogRead read = await log.ReadAsync(place, buffer);
                if (
                    read is not { Status: DiskStatus.Done, IsRotten: false }
                    || OperationFormat.ReadExtra(
                        read.Record.Flags,
                        read.Record.Expires,
                        read.Key.Span,
                        read.Extra.Span,
                        read.Value.Span
                    )
                        is not { } whole
                )
                {
                    return false;
                }

                member.Tail.Fill(index, whole);
            }
        }

        return true;
    }
}
