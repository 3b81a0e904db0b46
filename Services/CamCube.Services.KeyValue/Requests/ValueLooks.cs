using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>Reads from the disk what changes depend on, and has them decided then. Others may change the keys
/// meanwhile: what was read counts only if it still is a key's value. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="decide">Decides a request, with what was read; null: nothing is there, or it cannot be read.</param>
internal sealed class ValueLooks(IServer server, Action<Member, byte[], Dictionary<UInt128, FoundValue?>> decide)
{
    /// <summary>Reads for a request.</summary>
    public void Begin(MemberHost host, Member member, in RequestContent request, IReadOnlyList<UInt128> keys)
    {
        var copy = new WireWriter();
        RequestFormat.Write(copy, request);
        copy.Bytes(request.Value);
        byte[] content = copy.Written.ToArray();
        server.Loop.Run(async () =>
        {
            Dictionary<UInt128, FoundValue?> read = [];
            foreach (UInt128 key in keys)
            {
                read[key] = await ReadAsync(host, member.Id.Number, key);
            }

            decide(member, content, read);
        });
    }

    private static async ValueTask<FoundValue?> ReadAsync(MemberHost host, uint group, UInt128 key)
    {
        while (host.Index.TryGet(group, key, out IndexEntry entry) && !entry.IsDeleted)
        {
            byte[] buffer = GC.AllocateUninitializedArray<byte>(entry.Location.Length);
            LogRead read = await host.LogOf(group)!.ReadAsync(entry.Location, buffer);
            if (read is { Status: DiskStatus.Done, IsRotten: false })
            {
                return new FoundValue(
                    entry.Version,
                    OperationFormat.MetadataOf(read.Record.Flags, read.Extra),
                    read.Value
                )
                {
                    IsInPieces = entry.IsInPieces,
                };
            }

            bool isHere = host.Index.TryGet(group, key, out IndexEntry now) && now.Location != entry.Location;
            if (!isHere && !await host.StateDuty.MendAsync(group, key))
            {
                return null;
            }
        }

        return null;
    }
}
