using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Text;

/// <summary>Puts a parsed command of the text protocol into an empty slot.</summary>
internal static class TextFiller
{
    /// <summary>Fills a slot with a command that has work.</summary>
    public static void Fill(CommandSlot slot, in TextCommand command, MemcachedContext context)
    {
        slot.SetKey(command.Key);
        slot.Work = SlotWork.Cache;
        slot.Terms = new CacheTerms
        {
            Operation = command.Operation,
            Flags = command.Flags,
            Expiry = command.Expiry,
            Cas = command.Cas,
            Delta = command.Delta,
        };
        if (AnswerOf(command.Verb) is { } answer)
        {
            slot.Answer = answer;
            return;
        }

        switch (command.Verb)
        {
            case TextVerb.Verbosity:
                const ulong MostVerbosity = 2;
                if (context.Process is { } process)
                {
                    process.Verbosity = (int)Math.Min(command.Delta, MostVerbosity);
                }

                slot.SetLine(TextReply.Ok);
                break;
            case TextVerb.MemoryLimit:
                slot.Work = SlotWork.MemoryLimit;
                slot.Answer = SlotAnswer.MemoryLimit;
                break;
            case TextVerb.RefreshCertificates when context.Tls is null:
                slot.SetLine(TextReply.NoTls);
                break;
            case TextVerb.RefreshCertificates:
                slot.Work = SlotWork.Certificates;
                slot.Answer = SlotAnswer.Text;
                break;
            case TextVerb.FlushAll:
                if (!context.Options.AllowFlushAll)
                {
                    slot.SetLine(TextReply.NoFlushAll);
                    break;
                }

                slot.Work = SlotWork.FlushAll;
                slot.Answer = SlotAnswer.Flushed;
                slot.Terms = new CacheTerms { Expiry = Math.Max(0, command.Expiry) };
                break;
            default:
                FillStatistics(slot, command, context);
                break;
        }
    }

    /// <summary>How a change is answered; null: it is no change of an item.</summary>
    private static SlotAnswer? AnswerOf(TextVerb verb) =>
        verb switch
        {
            TextVerb.Store => SlotAnswer.Stored,
            TextVerb.Delete => SlotAnswer.Deleted,
            TextVerb.Arithmetic => SlotAnswer.Number,
            TextVerb.Touch => SlotAnswer.Touched,
            _ => null,
        };

    private static void FillStatistics(CommandSlot slot, in TextCommand command, MemcachedContext context)
    {
        slot.Group = command.Group;
        slot.Form = TextStatistics.Form;
        switch (command.Group)
        {
            case StatisticsGroup.Reset:
                slot.SetLine(TextReply.Reset);
                slot.Work = SlotWork.Statistics;
                break;
            case StatisticsGroup.DetailOn or StatisticsGroup.DetailOff:
                slot.SetLine(TextReply.Ok);
                break;
            case StatisticsGroup.DetailDump:
                slot.Work = SlotWork.None;
                slot.Answer = SlotAnswer.Details;
                break;
            case StatisticsGroup.Dump when !context.Options.AllowDump:
                slot.SetLine(TextReply.NoCacheDump);
                break;
            case StatisticsGroup.Dump when command.Reply != TextReply.Nothing:
                slot.SetLine(command.Reply);
                break;
            case StatisticsGroup.Dump:
                slot.Work = SlotWork.Statistics;
                slot.Answer = SlotAnswer.Text;
                slot.Terms = new CacheTerms { Delta = command.Delta, Initial = command.Flags };
                break;
            default:
                slot.Work = SlotWork.Statistics;
                slot.Answer = SlotAnswer.Text;
                break;
        }
    }
}
