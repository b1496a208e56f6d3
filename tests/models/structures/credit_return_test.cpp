#include "models/structures/credit_return.h"

#include <gtest/gtest.h>

namespace models {
namespace {

TEST(CreditReturn, SendsHalfAQueueAtOnce) {
    CreditReturn credits(8, 100);
    credits.add(10, 1);
    credits.add(11, 2);
    EXPECT_FALSE(credits.is_due(11));
    credits.add(12, 1);
    EXPECT_TRUE(credits.is_due(12));
    EXPECT_EQ(credits.take(), 4U);
    EXPECT_FALSE(credits.is_due(1000));
    EXPECT_EQ(credits.take(), 0U);
}

TEST(CreditReturn, SendsFewerOnceTheFirstOfThemHasWaitedLongEnough) {
    CreditReturn credits(8, 100);
    EXPECT_EQ(credits.due(), engine::never);
    credits.add(10, 1);
    credits.add(90, 1);  // does not begin the wait anew
    EXPECT_EQ(credits.due(), 110);
    EXPECT_FALSE(credits.is_due(109));
    EXPECT_TRUE(credits.is_due(110));
    EXPECT_EQ(credits.take(), 2U);
    EXPECT_EQ(credits.due(), engine::never);
    credits.add(200, 1);
    EXPECT_EQ(credits.due(), 300);
}

TEST(CreditReturn, OfAQueueOfOneEntryOrWithoutPatienceSendsEachAtOnce) {
    CreditReturn one(1, 100), impatient(8, 0);
    one.add(5, 1);
    impatient.add(5, 1);
    EXPECT_TRUE(one.is_due(5));
    EXPECT_TRUE(impatient.is_due(5));
}

}  // namespace
}  // namespace models
