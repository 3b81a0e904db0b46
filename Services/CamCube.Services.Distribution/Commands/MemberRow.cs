namespace CamCube.Services.Distribution.Commands;

/// <summary>A member of a job, as JSON has it.</summary>
/// <param name="Server">The member.</param>
/// <param name="State">Where it is.</param>
/// <param name="Bytes">Bytes of the file that it has.</param>
/// <param name="Seconds">Until it had all; until now if it has not.</param>
/// <param name="RateBitsPerSecond">Bits of what it has in that time.</param>
/// <param name="Words">What went wrong; null: nothing.</param>
internal sealed record MemberRow(
    string Server,
    string State,
    long Bytes,
    double Seconds,
    double RateBitsPerSecond,
    string? Words
)
{
    /// <summary>A member.</summary>
    public static MemberRow Of(DistributionMember member)
    {
        double seconds = member.Elapsed.TotalSeconds;
        return new MemberRow(
            $"{member.Server}",
            JobRow.NameOf($"{member.Stage}"),
            member.Bytes,
            seconds,
            seconds > 0 ? member.Bytes * 8 / seconds : 0,
            member.Words
        );
    }
}
