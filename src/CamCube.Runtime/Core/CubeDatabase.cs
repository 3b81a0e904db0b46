using System.Runtime.InteropServices;
using CamCube.Topology;

namespace CamCube.Runtime.Core;

/// <summary>What a server knows: its view, the order in which it learned it, and its own entry in it.</summary>
internal sealed class CubeDatabase
{
    private readonly ICoreServer _core;
    private readonly Coordinate _self;
    private readonly TorusShape _shape;
    private uint _sequence;
    private bool _mustIssue;

    /// <summary>A database.</summary>
    /// <param name="core">The server.</param>
    /// <param name="isCommissioned">Begin with the whole cube; else with nothing.</param>
    /// <param name="firstSequence">Own entries are numbered from here.</param>
    public CubeDatabase(ICoreServer core, bool isCommissioned, uint firstSequence)
    {
        (_core, _self, _shape) = (core, core.Server.Coordinate, core.Server.Shape);
        (Incarnation, _sequence, _mustIssue) = (core.Server.Incarnation, firstSequence, !isCommissioned);
        Announced = new CubeEntry(_self, 0, 0, 0);
        View = isCommissioned ? core.Views.Whole(_shape) : core.Views.Empty(_shape);
    }

    /// <summary>The present view.</summary>
    public CubeView View { get; private set; }

    /// <summary>The order of what became known.</summary>
    public FloodLog Log { get; } = new();

    /// <summary>The run that this server's packets and entries name.</summary>
    public ulong Incarnation { get; private set; }

    /// <summary>
    /// The own entry that last announced the keys; sequence 0 = none did, the cube was commissioned with them.
    /// </summary>
    public CubeEntry Announced { get; private set; }

    /// <summary>Entries came from a neighbour. Changes the list.</summary>
    public void Learn(List<CubeEntry> entries, Link from)
    {
        Span<CubeEntry> span = CollectionsMarshal.AsSpan(entries);
        int news = 0;
        foreach (CubeEntry entry in span)
        {
            CubeEntry known = View.EntryOf(entry.Server);
            if (entry.Incarnation == known.Incarnation && entry.Sequence == known.Sequence)
            {
                Log.MarkKnown(_shape.RankOf(entry.Server), from);
            }
            else if (entry.IsNewerThan(known))
            {
                if (entry.Server == _self)
                {
                    Overrule(entry);
                }
                else
                {
                    Log.Append(_shape.RankOf(entry.Server), from);
                    span[news++] = entry;
                }
            }
        }

        View = _core.Views.With(View, span[..news]);
    }

    /// <summary>Servers without an entry are as planned. False: that was known.</summary>
    public bool Commission()
    {
        bool isNews = !View.IsCommissioned;
        View = _core.Views.Commissioned(View);
        return isNews;
    }

    /// <summary>Makes the own entry say this, if it does not yet.</summary>
    public void Issue(byte bits)
    {
        if (!_mustIssue && View.EntryOf(_self).Bits == bits)
        {
            return;
        }

        if (_sequence == uint.MaxValue)
        {
            (Incarnation, _sequence) = (Incarnation + 1, 0);
        }

        _mustIssue = false;
        var entry = new CubeEntry(_self, Incarnation, ++_sequence, bits);
        if (entry.HasKeys && !View.EntryOf(_self).HasKeys)
        {
            Announced = entry;
        }

        View = _core.Views.With(View, entry);
        Log.Append(_shape.RankOf(_self), LinkSet.None);
    }

    // Somebody holds an entry of this server that this run did not issue: the next one must be newer.
    private void Overrule(in CubeEntry entry)
    {
        if (entry.Incarnation > Incarnation)
        {
            (Incarnation, _sequence) = (entry.Incarnation + 1, 0);
            _core.BeginAnew(Incarnation);
        }
        else if (entry.Incarnation == Incarnation)
        {
            _sequence = Math.Max(_sequence, entry.Sequence);
        }

        _mustIssue = true;
    }
}
