using System.Text;
using CamCube.Calls;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>An attempt of a request as it comes to whoever leads the group of its key, whenever it comes. What is said
/// to it is heard by nobody.</summary>
internal sealed record RawRequest(string Key)
{
    public RequestType Type { get; init; } = RequestType.Put;

    public byte Attempt { get; init; } = 1;

    /// <summary>Tenths of a second since an earlier attempt that may have been done.</summary>
    public byte EarlierTenths { get; init; }

    public string Value { get; init; } = "";

    /// <summary>The value, if it is no text.</summary>
    public byte[]? Content { get; init; }

    /// <summary>Of an Add: by how much; of a SetRange: from where.</summary>
    public long By { get; init; }

    public KeyValueCondition Condition { get; init; }

    public int Asker { get; init; }

    public ulong Run { get; init; } = ulong.MaxValue / 2;

    public ulong Number { get; init; } = 1;

    public ulong Closed { get; init; }

    /// <summary>Its group.</summary>
    public GroupId GroupIn(TorusShape shape) => GroupId.Of(0, KeyRoute.Of(0, Encoding.UTF8.GetBytes(Key)), shape);

    /// <summary>Its id.</summary>
    public RequestId IdIn(TorusShape shape) => new(shape.At(Asker), Run, Number);

    /// <summary>Who leads its group; null: nobody.</summary>
    public KeyValueService? LeaderIn(StoreCube cube)
    {
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            KeyValueService? service = cube.Cube[rank].IsRunning ? cube.Cube[rank].Service<KeyValueService>() : null;
            if (service?.Host.Find(GroupIn(cube.Cube.Shape)) is { Leads: true })
            {
                return service;
            }
        }

        return null;
    }

    /// <summary>It comes to who leads, and is over.</summary>
    public void Arrive(StoreCube cube)
    {
        cube.Cube.AwaitUntil(() => LeaderIn(cube) is not null, "Nobody leads");
        KeyValueService leader = LeaderIn(cube)!;
        Coordinate asker = cube.Cube.Shape.At(Asker);
        var header = new KeyValueHeader
        {
            Key = KeyRoute.Of(0, Encoding.UTF8.GetBytes(Key)),
            Attempt = Attempt,
            EarlierTenths = EarlierTenths,
            Type = MessageType.Request,
        };
        var request = new RequestContent
        {
            Type = Type,
            Condition = Condition,
            Id = IdIn(cube.Cube.Shape),
            Closed = Closed,
            Number = (ulong)By,
            Key = Encoding.UTF8.GetBytes(Key),
        };
        var writer = new WireWriter();
        RequestFormat.Write(writer, request);
        writer.Bytes(Content ?? Encoding.UTF8.GetBytes(Value));
        Assert.True(leader.Leader.OnRequest(header, asker, writer.Written.ToArray()));
        Member member = leader.Host.Find(GroupIn(cube.Cube.Shape))!;
        cube.Cube.AwaitUntil(() => leader.Open.Answering == 0 && member.Shown == member.State.LastIndex, "Not over");
    }
}
