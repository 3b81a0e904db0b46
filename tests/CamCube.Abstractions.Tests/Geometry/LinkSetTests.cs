using FsCheck;
using FsCheck.Fluent;

namespace CamCube.Abstractions.Tests.Geometry;

public sealed class LinkSetTests
{
    [Fact]
    public void A_set_behaves_like_a_set_of_links() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                ArbMap.Default.ArbFor<(byte A, byte B)>(),
                bits =>
                {
                    LinkSet a = new((byte)(bits.A & 0x7F)),
                        b = new((byte)(bits.B & 0x7F));
                    SortedSet<Link> naiveA = Naive(a),
                        naiveB = Naive(b);
                    Assert.Equal(naiveA.Count, a.Count);
                    Assert.Equal(naiveA.Count == 0, a.IsEmpty);
                    Assert.Equal(naiveA.Union(naiveB).Order(), ToList(a | b));
                    Assert.Equal(naiveA.Intersect(naiveB).Order(), ToList(a & b));
                    Assert.Equal(naiveA.Except(naiveB).Order(), ToList(a - b));
                    if (naiveA.Count > 0)
                    {
                        Assert.Equal(naiveA.Min, a.First);
                    }
                }
            )
        );

    [Fact]
    public void The_order_is_fixed_and_local_comes_last()
    {
        LinkSet set = Link.Local | (LinkSet)Link.ZMinus | Link.XPlus;
        Assert.Equal("{+x,-z,local}", set.ToString());
        Assert.Equal("{}", LinkSet.None.ToString());
        Assert.Equal(0x3F, LinkSet.AllCables.Bits);
        Assert.Equal(6, LinkSet.AllCables.Count);
        Assert.False(LinkSet.AllCables.Contains(Link.Local));
    }

    private static SortedSet<Link> Naive(LinkSet set) =>
        [.. Enumerable.Range(0, Links.Count).Select(i => (Link)i).Where(set.Contains)];

    private static List<Link> ToList(LinkSet set)
    {
        var links = new List<Link>();
        foreach (Link link in set)
        {
            links.Add(link);
        }

        return links;
    }
}
