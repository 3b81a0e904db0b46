namespace CamCube.Experiments.Tunnels;

/// <summary>What came of flows between machines in a time.</summary>
/// <param name="Links">What each server that receives received, in links: bytes of programs alone; least first.</param>
/// <param name="Came">Datagrams that came.</param>
/// <param name="Lost">Datagrams that did not.</param>
/// <param name="OutOfOrder">Datagrams that came behind a later one of their flow.</param>
/// <param name="Crossed">Links that a byte that came went over, in the mean, headers and lost ones included.</param>
internal sealed record FlowsResult(IReadOnlyList<double> Links, int Came, int Lost, int OutOfOrder, double Crossed)
{
    /// <summary>Of what the servers received.</summary>
    public double Median => Links[Links.Count / 2];

    /// <summary>Part of the datagrams that came behind a later one.</summary>
    public double Disorder => (double)OutOfOrder / Came;

    /// <inheritdoc/>
    public override string ToString() =>
        FormattableString.Invariant(
            $"median {Median:F2}, least {Links[0]:F2}, most {Links[^1]:F2} links, {Came} came, {Lost} lost, "
        ) + FormattableString.Invariant($"{OutOfOrder} out of order, {Crossed:F2} links each");
}
