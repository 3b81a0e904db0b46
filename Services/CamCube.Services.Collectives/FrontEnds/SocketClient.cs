using System.Buffers.Binary;
using CamCube.FrontEnds.Descriptors;
using CamCube.Services.Collectives.Groups;
using Microsoft.Win32.SafeHandles;

namespace CamCube.Services.Collectives.FrontEnds;

/// <summary>
/// One client: a member of one group. It says one thing after the other and waits for each answer. Whoever ends without
/// having closed the group is lost to it, as a server would be. On pool threads; one call at a time.
/// </summary>
/// <param name="connection">The client.</param>
/// <param name="gate">The server.</param>
/// <param name="room">For its vector.</param>
internal sealed class SocketClient(DescriptorConnection connection, IServerGate gate, MemoryRoom room)
{
    private readonly byte[] _head = new byte[SocketRequest.Bytes];
    private readonly byte[] _answer = new byte[SocketAnswer.Bytes];
    private IGroup? _group;
    private byte[] _vector = [];

    /// <summary>Serves it to its end. Does not throw.</summary>
    public async Task ServeAsync()
    {
        try
        {
            bool goesOn = true;
            while (goesOn && await connection.ReceiveAsync(_head, isPatient: _group is not null))
            {
                using SafeFileHandle? passed = connection.TakePassed();
                goesOn = SocketRequest.TryRead(_head, out SocketRequest request)
                    ? await AnswerAsync(request, passed)
                    : await TellAsync(new SocketAnswer(SocketAnswer.Wrong, "this is no message", 0, 0));
            }
        }
        catch (ServiceUnavailableException)
        {
            // The service stops, and its groups with it.
        }
        finally
        {
            await LeaveAsync(static group => group.Abandon());
            room.Return(_vector.Length);
        }
    }

    // Whether the connection goes on.
    private async Task<bool> AnswerAsync(SocketRequest request, SafeFileHandle? passed)
    {
        if (request.Kind == SocketKind.Open)
        {
            return await OpenAsync(request);
        }

        if (request.Kind == SocketKind.Close)
        {
            await LeaveAsync(static group => group.Close());
            return await TellAsync(default);
        }

        if (_group is null)
        {
            return await TellAsync(new SocketAnswer(SocketAnswer.Wrong, "no group is open", 0, 0));
        }

        return WrongOf(request, passed) is { } wrong
            ? await TellAsync(new SocketAnswer((byte)CollectiveStatus.Invalid, wrong, 0, 0))
            : await RunAsync(request, passed, _group);
    }

    private async Task<bool> OpenAsync(SocketRequest request)
    {
        if (_group is not null || request.Members > gate.Shape.Count)
        {
            string words = _group is null ? $"the cube has {gate.Shape.Count} servers" : "a group is open";
            return await TellAsync(new SocketAnswer(SocketAnswer.Wrong, words, 0, 0));
        }

        byte[] ranks = new byte[request.Members * sizeof(int)];
        if (!await connection.ReceiveAsync(ranks, isPatient: false))
        {
            return false;
        }

        var members = new Coordinate[request.Members];
        for (int i = 0; i < members.Length; i++)
        {
            int rank = BinaryPrimitives.ReadInt32LittleEndian(ranks.AsSpan(i * sizeof(int)));
            if ((uint)rank >= (uint)gate.Shape.Count)
            {
                var wrong = new GroupAnswer(GroupStatus.BadMember, null, $"{rank} is no rank of {gate.Shape}");
                return await TellAsync(SocketAnswer.Of(wrong));
            }

            members[i] = gate.Shape.At(rank);
        }

        var asked = new GroupRequest(request.Name) { Members = members, Weight = request.Number };
        GroupAnswer answer = await gate.CallAsync<ICollectives, GroupRequest, GroupAnswer>(
            static (service, a) => new ValueTask<GroupAnswer>(service.Open(a)),
            asked
        );
        _group = answer.Group;
        return await TellAsync(SocketAnswer.Of(answer));
    }

    // What is wrong with an operation; null: nothing, and the vector is here.
    private string? WrongOf(SocketRequest request, SafeFileHandle? passed)
    {
        if (!request.HasVector)
        {
            return null;
        }

        if (passed is not { } file)
        {
            return "no descriptor was passed with it";
        }

        if (request.Length > Array.MaxLength || !HasRoom((int)request.Length))
        {
            return $"there is no room for {request.Length:N0} bytes (CamCube:FrontEnds:collectives:MaxBytes)";
        }

        return SharedVector.Read(file, request.Offset, _vector.AsSpan(0, (int)request.Length));
    }

    private bool HasRoom(int length)
    {
        if (_vector.Length >= length)
        {
            return true;
        }

        room.Return(_vector.Length);
        _vector = [];
        if (!room.TryTake(length))
        {
            return false;
        }

        _vector = GC.AllocateUninitializedArray<byte>(length);
        return true;
    }

    private async Task<bool> RunAsync(SocketRequest request, SafeFileHandle? passed, IGroup group)
    {
        Memory<byte> vector = _vector.AsMemory(0, request.HasVector ? (int)request.Length : 0);
        Task<CollectiveResult> running = gate.CallAsync<
            ICollectives,
            (IGroup Group, SocketRequest Request, Memory<byte> Vector),
            CollectiveResult
        >(static (_, a) => BeginAsync(a.Group, a.Request, a.Vector), (group, request, vector))
            .AsTask();

        // Who goes meanwhile would keep the others waiting; who says something does not wait for its answer.
        if (await Task.WhenAny(running, connection.Next) != running)
        {
            await LeaveAsync(static left => left.Abandon());
            await running;
            return false;
        }

        CollectiveResult result = await running;
        bool gets = request.HasVector && (request.Kind != SocketKind.Reduce || request.Number == group.Rank);
        if (result.IsDone && gets && SharedVector.Write(passed!, request.Offset, vector.Span) is { } wrong)
        {
            return await TellAsync(new SocketAnswer((byte)CollectiveStatus.Invalid, wrong, 0, 0));
        }

        return await TellAsync(SocketAnswer.Of(result));
    }

    private static ValueTask<CollectiveResult> BeginAsync(IGroup group, SocketRequest request, Memory<byte> vector) =>
        request.Kind switch
        {
            SocketKind.AllReduce => group.AllReduceAsync(vector, request.Type, request.Operator),
            SocketKind.Reduce => group.ReduceAsync(request.Number, vector, request.Type, request.Operator),
            SocketKind.Broadcast => group.BroadcastAsync(request.Number, vector),
            SocketKind.ReduceScatter => group.ReduceScatterAsync(vector, request.Type, request.Operator),
            SocketKind.AllGather => group.AllGatherAsync(vector),
            _ => group.BarrierAsync(),
        };

    private async ValueTask LeaveAsync(Action<Group> leave)
    {
        if (_group is not Group group)
        {
            return;
        }

        _group = null;
        try
        {
            await gate.CallAsync<ICollectives, (Group Group, Action<Group> Leave), bool>(
                static (_, a) =>
                {
                    a.Leave(a.Group);
                    return new ValueTask<bool>(true);
                },
                (group, leave)
            );
        }
        catch (ServiceUnavailableException)
        {
            // The service stops, and its groups with it.
        }
    }

    private async Task<bool> TellAsync(SocketAnswer answer)
    {
        answer.Write(_answer);
        return await connection.SendAsync(_answer) && answer.Status != SocketAnswer.Wrong;
    }
}
