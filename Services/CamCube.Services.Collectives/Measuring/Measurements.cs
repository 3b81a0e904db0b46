using CamCube.Services.Collectives.Groups;
using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Measuring;

/// <summary>
/// Measurements of one server: those that were begun here, and its part in others'. Who begins one tells all members,
/// each of which opens the group and runs the series; whatever ends the group ends the measurement at all. Loop only.
/// </summary>
/// <param name="terms">What groups have in common.</param>
/// <param name="collectives">Opens groups.</param>
/// <param name="invite">Asks a member to take part; null: it does, else why not.</param>
internal sealed class Measurements(
    GroupTerms terms,
    ICollectives collectives,
    Func<ReadOnlyMemory<byte>, Coordinate, ValueTask<string?>> invite
)
{
    // So many members are asked at a time, so many measurements that are over are remembered.
    private const int Inviting = 32;
    private const int Remembered = 64;

    private readonly List<Measurement> _begun = [];
    private readonly HashSet<ulong> _running = [];
    private long _bytes;

    private IServer Server => terms.Server;

    /// <summary>Begins one. Returns why not, in words; null: it was begun.</summary>
    public string? Begin(MeasureTerms measured)
    {
        var measurement = new Measurement(measured, Server.NowNanos);
        if (Join(measured, measurement) is { } why)
        {
            return why;
        }

        while (
            _begun.Count >= Remembered
            && _begun.FindIndex(static m => m.Stage != MeasurementStage.Running) is >= 0 and var old
        )
        {
            _begun.RemoveAt(old);
        }

        _begun.Add(measurement);
        byte[] bytes = measured.Write(Server.Shape);
        for (int first = 0; first < Math.Min(Inviting, measured.Members.Length); first++)
        {
            int from = first;
            Server.Loop.Run(() => InviteAsync(measurement, bytes, from));
        }

        return null;
    }

    /// <summary>Takes part in one. Returns why not, in words; null: it does.</summary>
    /// <param name="measured">What is measured.</param>
    /// <param name="own">Where it was begun here: it.</param>
    public string? Join(MeasureTerms measured, Measurement? own = null)
    {
        // It was asked again.
        if (_running.Contains(measured.Number))
        {
            return null;
        }

        if (MeasuredSizes.WrongOf(measured, terms.Options.MostMeasured) is { } wrong)
        {
            return wrong;
        }

        long bytes = MeasuredSizes.BytesOf(measured);
        if (_bytes + bytes > terms.Options.MostMeasured)
        {
            return $"others measure with {_bytes:N0} bytes (CamCube:Services:collectives:MostMeasured)";
        }

        if (!Server.Memory.TryClaim("measurements", bytes, out IMemoryClaim? claim))
        {
            return $"there is no memory for {bytes:N0} bytes (CamCube:Memory)";
        }

        GroupAnswer opened = collectives.Open(new GroupRequest(measured.GroupName) { Members = measured.Members });
        if (opened.Group is not { } group)
        {
            claim.Release();
            return opened.Words;
        }

        if (own is not null)
        {
            own.Group = group;
        }

        _running.Add(measured.Number);
        _bytes += bytes;
        Server.Loop.Run(() => RunAsync(measured, group, claim, own));
        return null;
    }

    /// <summary>One that was begun here, for who asks for it; null: there is none.</summary>
    public Measurement? Find(ulong number)
    {
        Measurement? found = _begun.Find(measurement => measurement.Terms.Number == number);
        if (found is not null)
        {
            found.AskedNanos = Server.NowNanos;
        }

        return found;
    }

    /// <summary>Ends those for which nobody asks.</summary>
    public void Sweep()
    {
        foreach (Measurement measurement in _begun)
        {
            if (Server.NowNanos - measurement.AskedNanos > terms.Options.UnaskedTime.TotalNanoseconds)
            {
                measurement.Fail("nobody asked how far it is (CamCube:Services:collectives:UnaskedTime)");
            }
        }
    }

    private async ValueTask RunAsync(MeasureTerms measured, IGroup group, IMemoryClaim claim, Measurement? own)
    {
        long bytes = claim.Bytes;
        byte[] memory = GC.AllocateUninitializedArray<byte>((int)bytes);
        var series = new Series(Server, measured, group);
        CollectiveResult result = await series.RunAsync(memory, size => own?.Sizes.Add(size));
        own?.OnEnd(result);
        group.Close();
        claim.Release();
        _running.Remove(measured.Number);
        _bytes -= bytes;
    }

    private async ValueTask InviteAsync(Measurement measurement, byte[] bytes, int first)
    {
        Coordinate[] members = measurement.Terms.Members;
        for (int at = first; at < members.Length && measurement.Stage == MeasurementStage.Running; at += Inviting)
        {
            if (members[at] != Server.Coordinate && await invite(bytes, members[at]) is { } why)
            {
                measurement.Fail(why);
            }
        }
    }
}
