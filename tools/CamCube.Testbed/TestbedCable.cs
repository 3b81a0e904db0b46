namespace CamCube.Testbed;

/// <summary>A cable of a testbed: a veth pair between the namespaces of two servers.</summary>
/// <param name="Number">From 0, in the order in which cables are made.</param>
/// <param name="From">Rank of the server at which the cable is a link of positive direction.</param>
/// <param name="Link">That link.</param>
/// <param name="To">Rank of the server at the other end, where the cable is the opposite link.</param>
public readonly record struct TestbedCable(int Number, int From, Link Link, int To)
{
    /// <summary>All cables of a shape, each once. None on an axis of size 1; one or two between the servers of an axis
    /// of size 2.</summary>
    public static IReadOnlyList<TestbedCable> Of(TorusShape shape)
    {
        var cables = new List<TestbedCable>();
        for (int rank = 0; rank < shape.Count; rank++)
        {
            foreach (Link link in shape.CabledLinks(shape.At(rank)))
            {
                if (link.Sign() > 0)
                {
                    cables.Add(
                        new TestbedCable(cables.Count, rank, link, shape.RankOf(shape.Step(shape.At(rank), link)))
                    );
                }
            }
        }

        return cables;
    }

    /// <summary>The interface of a link inside its server's namespace: <c>eth1</c> to <c>eth6</c>, so that interfaces
    /// in the order of their names are links in their order.</summary>
    public static string InterfaceOf(Link link) => $"eth{(int)link + 1}";
}
